/** The adapters of all data sets, in the order in which they are written. */
import { caBayarea } from './ca_bayarea.ts';
import { flAgendas } from './fl_agendas.ts';
import { ilChicago } from './il_chicago.ts';
import { maMassbuilds } from './ma_massbuilds.ts';
import { ncMecklenburg } from './nc_mecklenburg.ts';
import { nyCouncil } from './ny_council.ts';
import type { SourceAdapter } from './types.ts';
import { vaCounties } from './va_counties.ts';

export const ADAPTERS: readonly SourceAdapter[] = [caBayarea, flAgendas, ilChicago, maMassbuilds, ncMecklenburg, nyCouncil, vaCounties];

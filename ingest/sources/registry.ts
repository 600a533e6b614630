/** The adapters of all data sets, in the order in which they are written. */
import { caBayarea } from './adapters/ca_bayarea.ts';
import { flAgendas } from './adapters/fl_agendas.ts';
import { ilChicago } from './adapters/il_chicago.ts';
import { maMassbuilds } from './adapters/ma_massbuilds.ts';
import { moratoria } from './adapters/moratoria.ts';
import { ncMecklenburg } from './adapters/nc_mecklenburg.ts';
import { nyCouncil } from './adapters/ny_council.ts';
import { vaCounties } from './adapters/va_counties.ts';
import type { SourceAdapter } from './types.ts';

export const ADAPTERS: readonly SourceAdapter[] = [
  caBayarea,
  flAgendas,
  ilChicago,
  maMassbuilds,
  moratoria,
  ncMecklenburg,
  nyCouncil,
  vaCounties,
];

/** `npm run soak`: customers, loads and failures at once, for half an hour. */
import { runProfile } from './main.ts';
import { readSoakOptions, soakProfile } from './soakProfile.ts';

await runProfile(() => {
  const options = readSoakOptions(process.argv);
  return { profile: soakProfile(options), json: options.json };
});

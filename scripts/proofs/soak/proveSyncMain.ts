/** `npm run prove-sync`: loaders, clients and servers under fire; at the end every copy equals the index. */
import { runProfile } from './main.ts';
import { proveSyncProfile, readProveSyncOptions } from './proveSyncProfile.ts';

await runProfile(() => {
  const options = readProveSyncOptions(process.argv);
  return { profile: proveSyncProfile(options), json: options.json };
});

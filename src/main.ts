/** `npm start`: serves the API with the settings of the environment, in one process or in several behind one port. */
import { parentOf } from './operate/processes/child.ts';
import { startProcess } from './startProcess.ts';

const parent = parentOf(process);

await startProcess(async (config, log) => {
  if (config.apiProcesses > 1 && !parent) return (await import('./operate/processes/parent.ts')).serveInProcesses(config, log);
  return (await import('./serveApi.ts')).serveApi(config, log, parent);
}, parent);

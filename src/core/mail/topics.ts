/** Topics of mails about alerts: what a recipient can unsubscribe from. Pure. */
const TOPIC = 'alert:';

/** What a recipient of mails about these alerts can unsubscribe from. */
export const makeTopic = (alerts: readonly { id: string }[]): string =>
  `${TOPIC}${[...new Set(alerts.map(({ id }) => id))].sort().join(',')}`;

/** The alerts that a topic stands for. */
export const parseTopic = (topic: string): string[] => (topic.startsWith(TOPIC) ? topic.slice(TOPIC.length).split(',') : []);

/** Text as it stands in HTML and XML, between tags and in attributes of either quote. Pure. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

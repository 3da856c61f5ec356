export const inboxes = {};

export const updates = {};

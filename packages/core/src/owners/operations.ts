export const owners = {};

export const accounts = {};
export const me = {};

export const allowlist = {};

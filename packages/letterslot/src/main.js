#!/usr/bin/env node
// The command is that of @letterslot/cli: its program lies beside what it exports.
await import(new URL("main.js", import.meta.resolve("@letterslot/cli")).href);

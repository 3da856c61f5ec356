import type { Hono } from "hono";
import { type ConsoleOptions, consoleOf } from "./app.ts";
import { ownSite } from "./site.ts";

export type { ConsoleOptions } from "./app.ts";

/**
 * The console as an app to mount beside the service's: `app.route("/console", createConsole())`. It is static files that
 * call the service one path above them, as the person or key that signs in on it. Node only.
 */
export const createConsole = (options: ConsoleOptions = {}): Hono => consoleOf(ownSite, options);

import type { Letterslot, Transport } from "@letterslot/core";
import type { Config } from "../config.ts";
import type { DataDir } from "../data-dir.ts";
import type { Adapters, Opened } from "../run.ts";
import type { RunningServer } from "./running-server.ts";

/** What the doctor uses of the adapters. */
export interface DoctorTools extends Adapters {
  /** Connects to the mail server of SMTP_URL and signs in; rejects with `code` EAUTH when that is refused. */
  verifyRelay(url: string, timeout_ms: number): Promise<void>;
  /** A transport to one mail server, without a signature. */
  createRelay(url: string): Transport;
  /** The port that SMTP_URL=mx: sends to. */
  directPort(url: string): number;
  /** What prevented something, in a sentence or two that say what to do. */
  describe(error: unknown): string;
}

/** What the operator wants. */
export interface Wishes {
  /** A mail is sent to itself, and may take so long. */
  mail: boolean;
  wait_ms: number;
  /** The domain whose mail host is greeted on port 25. */
  probe_domain: string;
}

/** What checks go by. */
export interface Facts {
  tools: DoctorTools;
  wishes: Wishes;
  config: Config;
  base_url: string;
  environment: NodeJS.ProcessEnv;
  dataDir: DataDir;
  /** The server that runs with this configuration. */
  running: RunningServer | undefined;
  /** The storage, unless it can't be opened or a server has it for itself. */
  storage: { opened: Opened; service: Letterslot } | undefined;
  /** What is to be closed at the end, last first. */
  closing: (() => unknown)[];
}

/** What one look may take. A server that runs looks up its records meanwhile. */
export const LOOK_MS = 15_000;

export const hasRole = ({ role }: Config, wanted: Config["role"]): boolean =>
  role === "all" || role === wanted;

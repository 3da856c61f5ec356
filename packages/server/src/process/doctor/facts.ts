import type { Letterslot } from "@letterslot/core";
import type { Transport } from "@letterslot/core/ports";
import type { Config } from "../config.ts";
import type { DataDir } from "../data-dir.ts";
import type { Adapters, Opened } from "../run.ts";
import type { RunningServer } from "./running-server.ts";

/** The adapters and tools that the doctor uses. */
export interface DoctorTools extends Adapters {
  /** Connects to the mail server of SMTP_URL and signs in; rejects with `code` EAUTH when that is refused. */
  verifyRelay(url: string, timeout_ms: number): Promise<void>;
  /** A transport to one mail server, without a signature. */
  createRelay(url: string): Transport;
  /** The port that SMTP_URL=mx: sends to. */
  directPort(url: string): number;
  /** Describes an error in a sentence or two, with its remedy. */
  describe(error: unknown): string;
}

/** The operator's choices. */
export interface Wishes {
  /** A mail is sent to itself, and may take so long. */
  mail: boolean;
  wait_ms: number;
  /** The domain whose mail host is greeted on port 25. */
  probe_domain: string;
}

/** The input of checks. */
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
  /** Clean-up functions to run at the end, last first. */
  closing: (() => unknown)[];
}

/** Time limit for one look-up. Meanwhile a running server looks up its own records. */
export const LOOK_MS = 15_000;

export const hasRole = ({ role }: Config, wanted: Config["role"]): boolean =>
  role === "all" || role === wanted;

import type { Letterslot } from "@letterslot/core";
import { z } from "zod";
import type { ProgressStream } from "../migrate-storage/progress.ts";
import { runAccountsCommand } from "./accounts-command.ts";
import type { CommandOutput } from "./accounts-plans.ts";
import { runApprovalKeysCommand } from "./approval-keys-command.ts";

const MAX_WORDS = 50;
const MAX_WORD_CHARS = 4096;

/** A command of an operator on the service's own data, as it was typed. */
export const OperatorCommand = z.strictObject({
  name: z.enum(["accounts", "approval-keys"]),
  /** The words after it. */
  words: z.array(z.string().max(MAX_WORD_CHARS)).max(MAX_WORDS),
  /** The folder that paths among the words begin at. */
  cwd: z.string().max(MAX_WORD_CHARS),
});
export type OperatorCommand = z.infer<typeof OperatorCommand>;

/** The streams for a command's answer and its progress. */
export interface CommandStreams {
  stdout: CommandOutput;
  stderr: ProgressStream;
}

/** Runs an operator's command. Throws `AccountsCommandError`. */
export function runOperatorCommand(
  { name, words, cwd }: OperatorCommand,
  service: Pick<Letterslot, "operator" | "services">,
  { stdout, stderr }: CommandStreams,
): Promise<void> {
  return name === "accounts"
    ? runAccountsCommand(words, service, stdout, stderr, cwd)
    : runApprovalKeysCommand(words, service.operator.approvalKeys, stdout);
}

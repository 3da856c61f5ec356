/** The result of a check. */
export interface Finding {
  status: "ok" | "warning" | "failed";
  /** The fact, in a sentence. */
  says: string;
  /** The remedy, in a sentence or two; null when there is none to apply. */
  fix: string | null;
}

/** A line of the doctor's report. */
export interface Check extends Finding {
  object: "check";
  /** The subject of the check, such as `dns.spf`. */
  name: string;
}

export const ok = (says: string): Finding => ({ status: "ok", says, fix: null });
export const warning = (says: string, fix: string): Finding => ({ status: "warning", says, fix });
export const failed = (says: string, fix: string): Finding => ({ status: "failed", says, fix });

/** Gives a finding its name. */
export const named = (name: string, finding: Finding): Check => ({ object: "check", name, ...finding });

/**
 * Runs one check with a time limit. An error becomes a failure: `fix` is the remedy for any that the check itself has
 * no better one for.
 */
export async function check(
  name: string,
  { within_ms, fix }: { within_ms: number; fix: string },
  look: (signal: AbortSignal) => Promise<Finding>,
): Promise<Check> {
  const deadline = AbortSignal.timeout(within_ms);
  const late = new Promise<Finding>((resolve) => {
    deadline.addEventListener(
      "abort",
      () => resolve(failed(`No result within ${within_ms / 1000} s.`, fix)),
      {
        once: true,
      },
    );
  });
  const looking = look(deadline).catch((error: unknown) => failed(`${reasonOf(error)}.`, fix));
  return named(name, await Promise.race([looking, late]));
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection broke",
  UND_ERR_SOCKET: "the connection broke",
  ENOTFOUND: "the host can't be found",
  EAI_AGAIN: "the host can't be found",
  EHOSTUNREACH: "the host can't be reached",
  ENETUNREACH: "its network can't be reached",
  ETIMEDOUT: "it doesn't answer",
  ETIMEOUT: "it doesn't answer",
  TimeoutError: "it doesn't answer",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself",
  ENOSPC: "the disk is full",
  EFBIG: "files may not grow as far as is needed",
  EROFS: "the disk can't be written",
};

/** Why something failed, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  const { name, code, originalCode, message, cause } = error as Error & {
    code?: string;
    /** Nodemailer's, of the system. */
    originalCode?: string;
  };
  const known = REASONS[originalCode ?? ""] ?? REASONS[code ?? ""] ?? REASONS[name];
  if (known !== undefined) return known;
  return cause instanceof Error ? reasonOf(cause) : message.replace(/[.\s]+$/, "");
}

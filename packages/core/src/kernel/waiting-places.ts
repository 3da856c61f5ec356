import { fail } from "../catalogue/errors.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { type AccountCaller, callerId } from "./access/caller.ts";

/** The kind of a waiting call: a wait for mail, which has slots of its own, or a stream or poll. */
type Kind = "mail" | "stream";

/** The waiting caller and the account whose places it takes: a workspace takes its parent's. */
export interface WaitingCaller {
  caller: AccountCaller;
  root_id: string;
}

/** The places of the waits, streams and polls that this process holds open. */
export interface WaitingPlaces {
  /**
   * Takes a place until the returned function is called, at most until `until`, in milliseconds since 1970. Fails with
   * `rate_limited`: a key has 25 streams and polls, the keys of an account and its workspaces together 200, an owner's
   * session 10, and the process 10,000 including the waits for mail.
   */
  take(caller: WaitingCaller, kind: Kind, now: number, until: number): () => void;
}

interface Share {
  name: string;
  max: number;
  refusal: string;
}

/** Creates the places of one process; each process has its own. */
export function createWaitingPlaces(): WaitingPlaces {
  const open = new Map<string, Map<object, number>>();

  const isFull = ({ name, max }: Share, now: number): boolean => {
    const places = open.get(name);
    if (places === undefined || places.size < max) return false;
    // Usually all places are freed in time, but not that of a stream that nobody read.
    for (const [place, until] of places) if (until <= now) places.delete(place);
    return places.size >= max;
  };

  return {
    take(caller, kind, now, until) {
      const shares = sharesOf(caller, kind);
      const full = shares.find((share) => isFull(share, now));
      if (full !== undefined) throw fail("rate_limited", { retry_after_seconds: 1, message: full.refusal });
      const place = {};
      for (const { name } of shares) open.set(name, (open.get(name) ?? new Map()).set(place, until));
      return () => {
        for (const { name } of shares) {
          const places = open.get(name);
          places?.delete(place);
          if (places?.size === 0) open.delete(name);
        }
      };
    },
  };
}

function sharesOf({ caller, root_id }: WaitingCaller, kind: Kind): Share[] {
  const refusal = (who: string, max: number) => `${who} ${max} streams and polls open, which is the limit.`;
  const everybody = {
    name: "all",
    max: LIMITS.concurrent_waits,
    refusal: "The server has too many waits open.",
  };
  if (kind === "mail") return [everybody];
  const {
    concurrent_streams_per_session: perSession,
    concurrent_streams_per_key: perKey,
    concurrent_streams_per_account: perAccount,
  } = LIMITS;
  const own = `caller ${callerId(caller)}`;
  if (caller.type === "owner")
    return [{ name: own, max: perSession, refusal: refusal("This session has", perSession) }, everybody];
  return [
    { name: own, max: perKey, refusal: refusal("This key has", perKey) },
    {
      name: `account ${root_id}`,
      max: perAccount,
      refusal: refusal("This account's keys have", perAccount),
    },
    everybody,
  ];
}

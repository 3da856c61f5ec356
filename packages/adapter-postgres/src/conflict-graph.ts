import type { TableName } from "@letterslot/core";
import { type Access, areIndependent, onlyAdds } from "@letterslot/sql";

/** Thrown where no order of the transactions would have the results that they have seen. */
export class NotSerializable extends Error {
  constructor() {
    super("interleaved transactions can't be put in an order");
  }
}

/**
 * Watches over transactions that run interleaved: they must have the results that they would have had one after the
 * other, in some order (serialization graph testing, Bernstein et al., "Concurrency Control and Recovery in
 * Database Systems", 1987, 4.4).
 */
export interface ConflictGraph {
  /** Adds a transaction. */
  join(): GraphMember;
}

/** One of the transactions. */
export interface GraphMember {
  /**
   * Notes what it does next; undefined is anything. Throws `NotSerializable`. Returns whether it must run in a later statement than
   * what it conflicts with. Additions to one number may share a statement: they are answered in their order.
   */
  does(access: Access | undefined): boolean;
  /** Notes what it writes without reading the result. */
  writes(access: Access): void;
}

/** `sums` are additions whose results nobody reads. */
type Kind = Access["does"] | "sums";

const MAY_CONFLICT: Record<Kind, readonly Kind[]> = {
  reads: ["inserts", "changes", "sums"],
  inserts: ["reads", "inserts", "changes", "sums"],
  changes: ["reads", "inserts", "changes", "sums"],
  sums: ["reads", "inserts", "changes"],
};

interface Noted {
  by: Member;
  kind: Kind;
  access: Access;
}

/** Creates a graph without transactions. */
export function createConflictGraph(): ConflictGraph {
  const members: Member[] = [];
  const noted = new Map<TableName, Record<Kind, Noted[]>>();
  /** Those that have done something of which nobody knows what. */
  const unknown = new Set<Member>();

  /** Notes that one comes before another in any order. */
  const putBefore = (first: Member, second: Member) => {
    if (second.followers.has(first)) throw new NotSerializable();
    if (first.followers.has(second)) return;
    const followers = [second, ...second.followers];
    for (const each of members)
      if (each === first || each.followers.has(first))
        for (const follower of followers) each.followers.add(follower);
  };

  const noteUnknown = (by: Member) => {
    for (const other of members) if (other !== by && other.isActive) putBefore(other, by);
    unknown.add(by);
    by.isActive = true;
  };
  const note = (by: Member, kind: Kind, access: Access): boolean => {
    by.isActive = true;
    let sees = false;
    for (const other of unknown)
      if (other !== by) {
        putBefore(other, by);
        sees = true;
      }
    const ofTable = noted.get(access.table) ?? { reads: [], inserts: [], changes: [], sums: [] };
    noted.set(access.table, ofTable);
    for (const other of MAY_CONFLICT[kind])
      for (const before of ofTable[other]) {
        if (before.by === by || areIndependent(before.access, access)) continue;
        putBefore(before.by, by);
        sees ||= !mayBeOneStatement(before, access);
      }
    ofTable[kind].push({ by, kind, access });
    return sees;
  };

  return {
    join() {
      const member: Member = { followers: new Set(), isActive: false };
      members.push(member);
      return {
        does(access) {
          if (access !== undefined) return note(member, access.does, access);
          noteUnknown(member);
          return true;
        },
        writes: (access) => void note(member, onlyAdds(access) ? "sums" : access.does, access),
      };
    },
  };
}

interface Member {
  /** Those that come after it. */
  followers: Set<Member>;
  isActive: boolean;
}

/** A statement doesn't see its own writes. Says whether the second of two that conflict may be in one with the first all the same. */
function mayBeOneStatement({ kind, access: first }: Noted, second: Access): boolean {
  if (kind === "reads") return true;
  if (kind === "inserts" && second.does === "inserts") return true;
  return kind === "changes" && onlyAdds(first) && onlyAdds(second);
}

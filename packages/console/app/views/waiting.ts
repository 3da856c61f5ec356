import type { Overview } from "@letterslot/client";

/** How many things wait for a person. */
export const waitingIn = ({
  approvals,
  questions,
  held,
  failed,
  webhooks,
  domains,
  refusals,
}: Overview): number =>
  [approvals, questions, held, failed, webhooks, domains, refusals].reduce(
    (sum, { length }) => sum + length,
    0,
  );

import type { Decisions } from "../../model/message-facts.ts";

/** Corrects the decision about a mail once it is known that a rule's action wasn't done. */
export const withSkipped = (
  decisions: Decisions,
  rule_id: string,
  skipped: { action: string; reason: string },
): Decisions => ({
  ...decisions,
  rules: (decisions.rules ?? []).map((matched) =>
    matched.rule_id === rule_id
      ? {
          ...matched,
          actions: matched.actions.filter((action) => action !== skipped.action),
          skipped: [...matched.skipped, skipped],
        }
      : matched,
  ),
});

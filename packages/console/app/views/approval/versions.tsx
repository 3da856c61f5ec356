import type { ApprovalReview } from "@letterslot/client";
import { showHidden } from "@letterslot/core/mail";
import { ChevronRight } from "lucide-preact";
import { Section, Sheet } from "../../ui/layout.tsx";
import { longTime, words } from "../../words/index.ts";

const text = words.approval;

type Change = ApprovalReview["versions"][number]["changes"][number];

/** What differs from what people were asked before about this mail, the newest first. */
export function Versions({ of: { approval, versions } }: { of: ApprovalReview }) {
  const later = versions.slice(1).filter(({ changes }) => changes.length > 0);
  if (later.length === 0) return null;
  return (
    <Section title={approval.status === "pending" ? text.versions.title : text.versions.earlier}>
      <Sheet>
        <div class="grid gap-5">
          {later.toReversed().map(({ digest, at, by, changes }) => (
            <div key={`${digest} ${at}`} class="grid gap-3">
              <h3 class="text-sm font-semibold">
                {text.versions.changed(longTime(at))}
                {by !== null && <span class="font-normal text-soft"> {by}</span>}
              </h3>
              <Differences changes={changes} />
            </div>
          ))}
        </div>
      </Sheet>
    </Section>
  );
}

/** Parts of a mail before and after. */
export function Differences({ changes }: { changes: readonly Change[] }) {
  // The source says again what the text does.
  const words_differ = changes.some(({ field }) => field === "text");
  return (
    <dl class="grid gap-3">
      {changes.map(({ field, before, after }) => (
        <div key={field} class="grid gap-1">
          <dt class="text-sm text-soft">{text.parts[field]}</dt>
          {field === "html" && words_differ ? (
            <dd>
              <details class="group">
                <summary class="flex min-h-11 items-center gap-1 text-sm font-semibold">
                  <ChevronRight size={18} class="text-soft group-open:rotate-90" aria-hidden="true" />
                  {text.versions.source}
                </summary>
                <Sides before={before} after={after} />
              </details>
            </dd>
          ) : (
            <dd>
              <Sides before={before} after={after} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

const Sides = ({ before, after }: { before: string | null; after: string | null }) => (
  <div class="grid gap-1">
    <Side sign="−" label={text.versions.was} tone="bg-problem-ground text-problem" value={before} />
    <Side sign="+" label={text.versions.is} tone="bg-done-ground text-done" value={after} />
  </div>
);

function Side({
  sign,
  label,
  tone,
  value,
}: {
  sign: string;
  label: string;
  tone: string;
  value: string | null;
}) {
  return (
    <div class={`flex gap-2 rounded-md px-2.5 py-1.5 whitespace-pre-wrap ${tone}`}>
      <span aria-hidden="true">{sign}</span>
      <span class="sr-only">{label}</span>
      <span class="min-w-0">{value === null ? text.versions.nothing : showHidden(value)}</span>
    </div>
  );
}

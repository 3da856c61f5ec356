import type { Domain } from "@letterslot/client";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { Rows } from "../../../ui/layout.tsx";
import { CopyButton } from "../../../ui/small.tsx";
import { words } from "../../../words/index.ts";

const text = words.mailOperations.domains;
type DnsRecord = Domain["records"][number];
const TONES: Record<DnsRecord["status"], Tone> = { valid: "done", missing: "approval", invalid: "problem" };

/** The records that a domain wants, each to copy, with what was found in its place. */
export function DnsRecords({ records }: { records: readonly DnsRecord[] }) {
  return (
    <Rows label={text.records}>
      {records.map((record) => (
        <One key={`${record.type} ${record.name} ${record.value}`} record={record} />
      ))}
    </Rows>
  );
}

function One({ record }: { record: DnsRecord }) {
  const { purpose, type, name, value, priority, required, status, found, hint } = record;
  return (
    <li class="grid gap-3 p-4">
      <div class="flex flex-wrap items-center justify-between gap-2">
        <h3 class="font-semibold">{text.purposes[purpose]}</h3>
        <span class="flex gap-2">
          <Chip>{required ? text.required : text.optional}</Chip>
          <Chip tone={TONES[status]}>{text.recordStatuses[status]}</Chip>
        </span>
      </div>
      <dl class="grid sm:grid-cols-[max-content_1fr] sm:gap-x-4 sm:gap-y-2">
        <Part name={text.type} value={type} />
        <Part name={text.host} value={name} copy />
        <Part name={text.value} value={value} copy />
        {priority !== null && <Part name={text.priority} value={String(priority)} />}
        {status !== "valid" && (
          <Part name={text.found} value={found.length === 0 ? text.nothingFound : found.join("\n")} />
        )}
      </dl>
      {hint !== null && status !== "valid" && <p class="text-sm text-soft">{hint}</p>}
    </li>
  );
}

function Part({ name, value, copy = false }: { name: string; value: string; copy?: boolean }) {
  return (
    <div class="contents">
      <dt class="text-sm text-soft sm:pt-2">{name}</dt>
      <dd class="flex min-w-0 items-start justify-between gap-2">
        <span class="min-w-0 py-1.5 font-mono text-sm whitespace-pre-wrap">{value}</span>
        {copy && <CopyButton text={value} />}
      </dd>
    </div>
  );
}

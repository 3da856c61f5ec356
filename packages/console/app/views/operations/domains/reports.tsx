import type { DomainReport } from "@letterslot/client";
import { usePages } from "../../../api/queries.ts";
import { Listing } from "../../../ui/listing.tsx";
import { Opens } from "../../../ui/opens.tsx";
import { When } from "../../../ui/small.tsx";
import { Table } from "../../../ui/table.tsx";
import { number, words } from "../../../words/index.ts";

const text = words.mailOperations.domains;
type Source = DomainReport["sources"][number];

/** What other providers report about mail in the domain's name. */
export function Reports({ domain_id }: { domain_id: string }) {
  const reports = usePages(["domains", domain_id, "reports"], (client, cursor) =>
    client.domains.reports({ domain_id, limit: 25, ...(cursor === undefined ? {} : { cursor }) }),
  );
  return (
    <div class="grid gap-2">
      <Listing title={text.reports} of={reports} empty={text.noReports} heading>
        {(report) => (
          <Opens
            key={report.id}
            title={report.reporter}
            meta={<When at={report.period.to} />}
            detail={
              <>
                <span>{text.kinds[report.kind]}</span>
                <span>{summaryOf(report)}</span>
              </>
            }
          >
            {() => <Details report={report} />}
          </Opens>
        )}
      </Listing>
      <p class="text-sm text-soft">{text.reportsText}</p>
    </div>
  );
}

function summaryOf({ sources, tls }: DomainReport): string {
  if (tls === null) return text.mails(number(sources.reduce((sum, { count }) => sum + count, 0)));
  const secured = text.secured(number(tls.successful));
  return tls.failed === 0 ? secured : `${secured}, ${text.unsecured(number(tls.failed))}`;
}

function Details({ report: { sources, sources_left_out, tls } }: { report: DomainReport }) {
  return (
    <>
      {sources.length > 0 && (
        <Table
          label={text.sources}
          columns={COLUMNS}
          items={sources}
          keyOf={({ ip, dkim, spf, disposition }) => `${ip} ${dkim} ${spf} ${disposition}`}
        />
      )}
      {sources_left_out > 0 && <p class="text-sm text-soft">{text.leftOut(number(sources_left_out))}</p>}
      {tls !== null && (
        <ul class="grid gap-1">
          <li>{text.secured(number(tls.successful))}</li>
          <li>{text.unsecured(number(tls.failed))}</li>
          {tls.failures.map(({ type, count }) => (
            <li key={type} class="text-soft">
              {type}: {number(count)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const COLUMNS = [
  { name: text.columns.ip, show: ({ ip }: Source) => <span class="font-mono">{ip}</span> },
  { name: text.columns.count, show: ({ count }: Source) => number(count), number: true },
  { name: text.columns.dkim, show: ({ dkim }: Source) => text.results[dkim] },
  { name: text.columns.spf, show: ({ spf }: Source) => text.results[spf] },
  { name: text.columns.disposition, show: ({ disposition }: Source) => text.dispositions[disposition] },
];

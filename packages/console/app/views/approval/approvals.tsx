import type { Approval } from "@letterslot/client";
import { Stamp } from "lucide-preact";
import { usePages } from "../../api/queries.ts";
import { RoundIcon, Row, Rows, Section, View } from "../../ui/layout.tsx";
import { MorePages, TabLinks, When } from "../../ui/small.tsx";
import { Answer, Empty } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";
import { StatusChip } from "./decided.tsx";

const text = words.approval;
const FILTERS = ["all", "pending", "approved", "rejected", "expired", "cancelled"] as const;

/** The approvals: what waits first, then what was decided. */
export function Approvals({ status }: { status: string }) {
  const filter = FILTERS.find((each) => each === status) ?? "all";
  return (
    <View title={text.list} lead={text.lead}>
      <TabLinks
        label={text.filter}
        tabs={FILTERS.map((each) => ({
          href: each === "all" ? "/approvals" : `/approvals/status/${each}`,
          name: text.filters[each],
          current: each === filter,
        }))}
      />
      {filter === "all" ? <Everything /> : <WithStatus key={filter} status={filter} />}
    </View>
  );
}

const useApprovals = (status: Approval["status"] | null) =>
  usePages(["approvals", "list", status], (client, cursor) =>
    client.approvals.list({
      limit: 50,
      ...(status === null ? {} : { status }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );

function Everything() {
  const pending = useApprovals("pending");
  const all = useApprovals(null);
  const decided = all.items.filter(({ status }) => status !== "pending");
  return (
    <Answer of={pending}>
      {() => (
        <>
          {pending.items.length === 0 && <Empty title={text.empty.title}>{text.empty.text}</Empty>}
          {pending.items.length > 0 && (
            <Section title={text.waiting} count={pending.items.length}>
              <Listed approvals={pending.items} />
              <MorePages of={pending} />
            </Section>
          )}
          <Answer of={all}>
            {() =>
              decided.length > 0 && (
                <Section title={text.decided}>
                  <Listed approvals={decided} />
                </Section>
              )
            }
          </Answer>
          <MorePages of={all} />
        </>
      )}
    </Answer>
  );
}

function WithStatus({ status }: { status: Approval["status"] }) {
  const found = useApprovals(status);
  return (
    <Answer of={found}>
      {() =>
        found.items.length === 0 ? (
          <Empty title={text.emptyWith.title}>{text.emptyWith.text}</Empty>
        ) : (
          <>
            <Listed approvals={found.items} />
            <MorePages of={found} />
          </>
        )
      }
    </Answer>
  );
}

const Listed = ({ approvals }: { approvals: readonly Approval[] }) => (
  <Rows label={text.list}>
    {approvals.map((approval) => (
      <Row
        key={approval.id}
        href={`/approvals/${approval.id}`}
        icon={<RoundIcon icon={Stamp} tone={approval.status === "pending" ? "approval" : "progress"} />}
        title={approval.summary}
        detail={approval.reasons.map(({ sentence }) => sentence).join(" ")}
        meta={
          approval.status === "pending" ? (
            <When at={approval.requested_at} />
          ) : (
            <span class="flex items-center gap-2">
              <StatusChip approval={approval} />
              <When at={approval.decided_at ?? approval.requested_at} />
            </span>
          )
        }
        strong={approval.status === "pending"}
      />
    ))}
  </Rows>
);

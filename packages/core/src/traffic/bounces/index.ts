export { hasRelayReported, takeRelayReports } from "./relay-reports.ts";
export { returnPathOf } from "./return-path.ts";

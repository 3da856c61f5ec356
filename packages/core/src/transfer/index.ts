export { type AnyReader, scanGroup } from "./scan.ts";
export { type Store, type TransferProgress, type TransferReport, transferStore } from "./transfer.ts";

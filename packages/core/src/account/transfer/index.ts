export { type Store, type TransferProgress, type TransferReport, transferStore } from "./transfer.ts";

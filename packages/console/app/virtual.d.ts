declare module "virtual:theme.css";
declare module "virtual:limits" {
  /** The limits of the interface that forms heed. */
  export const LIMITS: {
    attachments: number;
    message_bytes: number;
    owner_message_chars: number;
    recent_sign_in_ms: number;
  };
}
declare module "virtual:mark" {
  /** The mark's shapes on a square of 32, from back to front. */
  export const MARK: readonly (readonly ["rect" | "path", Readonly<Record<string, string>>])[];
}
declare module "virtual:names" {
  /** The name of an account: its first inboxes, and how many more it has. */
  export function accountName(emails: readonly string[], total?: number): string;
  /** `Firefox on Windows`; "a program" for what no browser says of itself. */
  export function browserName(user_agent: string | null): string;
}

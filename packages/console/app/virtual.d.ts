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

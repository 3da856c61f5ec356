/** What this server has beside mail: pages of the embedded default, for its own machine alone. */
interface Features {
  outbox?: boolean;
  phone?: boolean;
  passkeys?: boolean;
  /** The browser has a session, which may have ended. */
  session?: boolean;
}

const written = document.querySelector('meta[name="letterslot"]')?.getAttribute("content") ?? "{}";

export const features = JSON.parse(written) as Features;

import type { LetterslotEvent } from "@letterslot/client";
import { words } from "../words/index.ts";

/** Whether the browser can still be asked, or may show, a notification. */
export const notificationState = (): NotificationPermission | "unavailable" =>
  "Notification" in globalThis ? Notification.permission : "unavailable";

export const askToNotify = (): Promise<NotificationPermission> => Notification.requestPermission();

/** Tells of an approval where the page isn't in sight: that one waits, without whose and what about. A press opens it. */
export function noteEvent(event: LetterslotEvent): void {
  if (event.type !== "approval.requested" || document.visibilityState === "visible") return;
  if (notificationState() !== "granted") return;
  const { id } = event.data.approval;
  // Several tabs tell of it once.
  const notification = new Notification(words.needs.notification, { tag: id });
  notification.addEventListener("click", () => {
    focus();
    location.hash = `#/approvals/${id}`;
    notification.close();
  });
}

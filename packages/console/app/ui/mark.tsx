/** The mark: a letter that goes into a slot, as in core's look. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} class="shrink-0" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#2b56c6" />
      <path d="M9 18V9.5A1.5 1.5 0 0 1 10.5 8h11A1.5 1.5 0 0 1 23 9.5V18z" fill="#fff" />
      <path
        d="m9.8 9.3 6.2 5 6.2-5"
        fill="none"
        stroke="#2b56c6"
        stroke-width="1.6"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
      <rect x="5.5" y="18" width="21" height="4.5" rx="2.25" fill="#0f2768" />
    </svg>
  );
}

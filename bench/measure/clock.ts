/** The current time in (fractional) milliseconds, comparable between processes on one machine. */
export const machineNow = (): number => performance.timeOrigin + performance.now();

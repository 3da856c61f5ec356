export { recountProven, uncountMessages } from "./count.ts";
export { countContacts, countImported, scheduleContacts } from "./count-job.ts";
export { afterPlaces, placesOf } from "./rules.ts";

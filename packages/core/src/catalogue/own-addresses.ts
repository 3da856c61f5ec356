/** The name at the service's own domain that takes reports about domains; no inbox can have it. */
export const REPORTS_NAME = "dmarc-reports";

/** @letterslot/mcp: an inbox as tools, resources and prompts for language models. */
export {};

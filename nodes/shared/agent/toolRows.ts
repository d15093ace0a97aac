/** Where a model hands over rows. */
export const TOOL_ROWS_NAME = 'toolRows';
export const TOOL_ROWS_LABEL = 'Rows';

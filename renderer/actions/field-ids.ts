/** The id of the filter field, for the command `find`. */
export const OBJECT_FILTER_ID = 'filter-objects'

/** The id of the filter field, for the command `find`. */
export const FILTER_FIELD_ID = 'filter-transfers'

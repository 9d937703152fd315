// The view of a place, which replaces the list.

export { BrowseToolbar } from '../browser/browse-toolbar.tsx'
export { BrowseView } from '../browser/browse-view.tsx'
export { ObjectInspector } from '../browser/inspector/object-inspector.tsx'

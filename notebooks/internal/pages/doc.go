// Package pages tests in a real Chromium what a host shows in a browser: the dashboard, and
// the controls that stand in a notebook's cell (package kernel/internal/page).
package pages

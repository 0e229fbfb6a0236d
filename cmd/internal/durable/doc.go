// Package durable replaces files: completely or not at all, and so that the new file is
// there after a loss of power.
package durable

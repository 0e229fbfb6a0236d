// Package file reads files for the commands: reads are bounded, and folders open regular
// files only.
package file

// Package file reads and writes files for the commands: reads are bounded, folders
// open regular files only, and a file is replaced completely or not at all.
package file

// Package file reads and writes files as the commands do: what is read has a
// bound, a folder gives regular files alone, and a file is replaced at once or
// not at all.
package file

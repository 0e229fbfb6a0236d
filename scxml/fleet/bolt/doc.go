// Package bolt keeps the sessions of a fleet in a folder, in a bbolt database.
package bolt

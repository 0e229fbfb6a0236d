// Package fleet keeps sessions in a store between two events.
package fleet

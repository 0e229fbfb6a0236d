package theme

import "slices"

// A Role is a part of the screen that a theme gives a look.
type Role uint8

// The roles.
const (
	Text     Role = iota // everything without a role, and the background
	Dim                  // less important text
	Title                // the title of the game
	Key                  // a key in the key line
	Line                 // lines between cells
	BoxLine              // lines between boxes
	Panel                // the side panel
	Button               //
	Menu                 // menus and lists
	Chosen               // the selected entry of a menu or a list
	Dialog               //
	Field                // a text field
	Disabled             // ink of what is not possible now
	Glow                 // ink of the lines where the glow is

	Cell   // paper of a cell
	Odd    // paper of every second cell where there are no lines between rows
	Given  // ink of a digit of the puzzle
	Entry  // ink of a digit of the player
	Note   // ink of a note
	Corner // ink of a corner note

	Peer       // paper of a cell in the row, column or box of the cursor
	Equal      // paper of a cell with the highlighted digit, and of such a note
	Marked     // paper of a cell that is selected besides the cursor's
	Selected   // paper of the cursor while it writes digits
	PenNotes   // paper of the cursor while it writes notes
	PenCorner  // paper of the cursor while it writes corner notes
	PenColours // paper of the cursor while it colours cells
	Conflict   // paper of a digit that occurs twice
	Broken     // paper of a wrong entry, and of the one that made the puzzle unsolvable
	Cause      // paper of what a hint follows from
	Target     // paper of what a hint places
	Excluded   // paper of what a hint excludes
	Colour1    // paper of a cell with colour 1, and so on
	_
	_
	_
	_
	_
	_
	_
	_

	Idle // the badge of a state; its paper is the ink of the lines between boxes
	Playing
	Paused
	Editing
	Solving
	Solved
	GivenUp
	numRoles int = iota
)

var roleNames = [numRoles]string{
	"text", "dim", "title", "key", "line", "box-line", "panel", "button", "menu", "chosen", "dialog", "field", "disabled", "glow",
	"cell", "odd", "given", "entry", "note", "corner",
	"peer", "equal", "marked", "selected", "pen-notes", "pen-corner", "pen-colours", "conflict", "broken", "cause", "target", "excluded",
	"colour-1", "colour-2", "colour-3", "colour-4", "colour-5", "colour-6", "colour-7", "colour-8", "colour-9",
	"idle", "playing", "paused", "editing", "solving", "solved", "given-up",
}

// String returns the name of the role in files.
func (r Role) String() string { return roleNames[r] }

// Roles returns the names of all roles, as they are written in files.
func Roles() []string { return slices.Clone(roleNames[:]) }

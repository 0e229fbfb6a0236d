package behavioral

// Remembered returns how many events the program has in its table.
func (p *Program) Remembered() int { return len(p.table.events) }

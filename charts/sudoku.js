// The functions that sudoku.scxml calls. They work on the chart's data items. The code is
// ECMAScript 5, which every SCXML engine with this data model understands.

// isDigit reports whether v is one of the numbers 0 to 9.
function isDigit(v) {
    return typeof v === "number" && v % 1 === 0 && v >= 0 && v <= 9;
}

// isNine reports whether v is an array of nine items for which isItem is true.
function isNine(v, isItem) {
    if (!Array.isArray(v) || v.length !== 9) {
        return false;
    }
    for (var i = 0; i < 9; i++) { // every() would skip holes
        if (!isItem(v[i])) {
            return false;
        }
    }
    return true;
}

// isRow reports whether v is an array of 9 digits, isGrid whether it is one of 9 rows.
function isRow(v) {
    return isNine(v, isDigit);
}
function isGrid(v) {
    return isNine(v, isRow);
}

// isObject reports whether data can have fields: an event may have no data, or
// a number as its data.
function isObject(data) {
    return typeof data === "object" && data !== null;
}

// hasGrid reports whether the data of a setup event has a grid.
function hasGrid(data) {
    return isObject(data) && isGrid(data.initState);
}

// isTap reports whether data names a cell that the player may change.
function isTap(data) {
    return isObject(data) &&
        isDigit(data.x) && data.x < 9 &&
        isDigit(data.y) && data.y < 9 &&
        initState[data.x][data.y] === 0;
}

// isSet reports whether data names such a cell and a new value for it.
function isSet(data) {
    return isTap(data) && isDigit(data.value) && data.value !== currentState[data.x][data.y];
}

// isDigits reports whether v is a set of digits from 1 to 9, with bit d set for the digit
// d, isMarks whether it is a grid of them.
function isDigits(v) {
    return typeof v === "number" && v % 2 === 0 && v >= 0 && v < 1024;
}
function isMarks(v) {
    return isNine(v, function (row) {
        return isNine(row, isDigits);
    });
}

// isGame reports whether the data of a load event is a game: a puzzle, a grid that has
// its digits, marks, and moves that lead to that grid and those marks.
function isGame(data) {
    return hasGrid(data) && isGrid(data.currentState) && keepsGivens(data) &&
        isMarks(data.notes) && isMarks(data.corner) && isMarks(data.colours) &&
        hasMoves(data);
}

function keepsGivens(data) {
    return data.initState.every(function (row, x) {
        return row.every(function (given, y) {
            return given === 0 || given === data.currentState[x][y];
        });
    });
}

// hasMoves makes the moves of a game on a copy of it: backward those that are not undone,
// and forward the others.
function hasMoves(data) {
    var moves = data.moves, done;
    if (!Array.isArray(moves) || typeof data.undone !== "number" || data.undone % 1 !== 0 ||
            data.undone < 0 || data.undone > moves.length) {
        return false;
    }
    done = moves.length - data.undone;
    return canMake(moves.slice(0, done).reverse(), data, true) && canMake(moves.slice(done), data, false);
}

function canMake(moves, data, backward) {
    var grids = copyGrids({
        digit: data.currentState, notes: data.notes, corner: data.corner, colours: data.colours
    });
    return moves.every(function (move) {
        var changes = Array.isArray(move) && move.length > 0 && (backward ? move.slice().reverse() : move);
        return changes && changes.every(function (change) {
            return isChange(change, data.initState) && make(grids, change, backward);
        });
    });
}

// isChange reports whether v can be a change of a cell that is not one of the givens.
function isChange(v, givens) {
    if (!isObject(v) || !isDigit(v.x) || v.x === 9 || !isDigit(v.y) || v.y === 9) {
        return false;
    }
    if (v.of === "digit") {
        return isDigit(v.from) && isDigit(v.to) && givens[v.x][v.y] === 0;
    }
    return (v.of === "notes" || v.of === "corner" || v.of === "colours") && isDigits(v.from) && isDigits(v.to);
}

// make makes a change, or takes it back. It returns false if the cell has another value.
function make(grids, change, backward) {
    var from = backward ? change.to : change.from;
    var to = backward ? change.from : change.to;
    var row = grids[change.of][change.x];
    if (row[change.y] !== from) {
        return false;
    }
    row[change.y] = to;
    return true;
}

function copyGrids(grids) {
    var copies = {};
    Object.keys(grids).forEach(function (name) {
        copies[name] = grids[name].map(function (row) {
            return row.slice();
        });
    });
    return copies;
}

// load continues a saved game.
function load(game) {
    var done = game.moves.length - game.undone;
    initState = game.initState;
    currentState = game.currentState;
    marks = { notes: game.notes, corner: game.corner, colours: game.colours };
    undoStack = game.moves.slice(0, done);
    redoStack = game.moves.slice(done).reverse();
}

// saved returns the data of a load event that continues this game. Hosts evaluate it when
// they save the game.
function saved() {
    return {
        initState: initState, currentState: currentState,
        notes: marks.notes, corner: marks.corner, colours: marks.colours,
        moves: undoStack.concat(redoStack.slice().reverse()), undone: redoStack.length
    };
}

// restart starts a new game with the puzzle in initState.
function restart() {
    if (!isGrid(initState)) {
        initState = emptyGrid();
    }
    currentState = initState.map(function (row) {
        return row.slice();
    });
    marks = { notes: emptyGrid(), corner: emptyGrid(), colours: emptyGrid() };
    undoStack = [];
    redoStack = [];
}

function emptyGrid() {
    var grid = [];
    for (var x = 0; x < 9; x++) {
        grid.push([0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
    return grid;
}

function tap(cell) {
    write(cell.x, cell.y, (currentState[cell.x][cell.y] + 1) % 10);
}

function set(cell) {
    write(cell.x, cell.y, cell.value);
}

// write changes a cell, as a move.
function write(x, y, value) {
    undoStack.push([{ x: x, y: y, of: "digit", from: currentState[x][y], to: value }]);
    redoStack = [];
    currentState[x][y] = value;
}

function undo() {
    var last = undoStack.pop();
    redoStack.push(last);
    replay(last.slice().reverse(), true);
}

function redo() {
    var next = redoStack.pop();
    undoStack.push(next);
    replay(next, false);
}

// replay makes the changes of a move, or takes them back.
function replay(changes, backward) {
    var grids = {
        digit: currentState, notes: marks.notes, corner: marks.corner, colours: marks.colours
    };
    changes.forEach(function (change) {
        make(grids, change, backward);
    });
}

// isSolved reports whether every row, column and box has all nine digits. It
// checks the rows first, which need not be collected, and begins at the bottom:
// players tend to fill a grid from the top, so that the first check nearly
// always fails.
function isSolved() {
    for (var x = 8; x >= 0; x--) {
        if (!isComplete(currentState[x])) {
            return false;
        }
    }
    for (var i = 0; i < 9; i++) {
        var column = [], box = [];
        for (var j = 0; j < 9; j++) {
            column.push(currentState[j][i]);
            box.push(currentState[3 * Math.floor(i / 3) + Math.floor(j / 3)][3 * (i % 3) + j % 3]);
        }
        if (!isComplete(column) || !isComplete(box)) {
            return false;
        }
    }
    return true;
}

// isComplete reports whether each of the digits 1 to 9 is among the nine numbers.
function isComplete(numbers) {
    for (var digit = 1; digit <= 9; digit++) {
        if (numbers.indexOf(digit) < 0) {
            return false;
        }
    }
    return true;
}

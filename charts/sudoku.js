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

var indices = [0, 1, 2, 3, 4, 5, 6, 7, 8];

// isCell reports whether v names a cell, isSwitch whether data turns something on or off,
// isSpeed whether it has a delay in milliseconds.
function isCell(v) {
    return typeof v === "object" && v !== null && indices.indexOf(v.x) >= 0 && indices.indexOf(v.y) >= 0;
}
function isSwitch(data, name) {
    return isObject(data) && typeof data[name] === "boolean";
}
function isSpeed(data) {
    return isObject(data) && typeof data.delay === "number" && data.delay >= 0 && data.delay < Infinity;
}

// isTap reports whether data names a cell that the player may change.
function isTap(data) {
    return isCell(data) && initState[data.x][data.y] === 0;
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
        hasMoves(data) &&
        (data.savePoints === undefined || isNames(data.savePoints) && data.savePoints.every(function (point) {
            return isGrid(point.currentState) && isMarks(point.notes) && isMarks(point.corner) &&
                isMarks(point.colours) && keepsGivens({ initState: data.initState, currentState: point.currentState });
        })) &&
        (data.time === undefined || isAmount(data.time)) &&
        (data.helps === undefined || isAmount(data.helps));
}

function isAmount(v) {
    return typeof v === "number" && v >= 0 && v < Infinity;
}

// isNames reports whether v is an array of objects with a name, not too many.
function isNames(v) {
    return Array.isArray(v) && v.length <= maxSavePoints && v.every(isNamed);
}
function isNamed(v) {
    return isObject(v) && typeof v.name === "string";
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
    if (!isCell(v)) {
        return false;
    }
    if (v.of === "digit") {
        return isDigit(v.from) && isDigit(v.to) && givens[v.x][v.y] === 0;
    }
    return isMark(v.of) && isDigits(v.from) && isDigits(v.to);
}

// isMark reports whether v is the name of a grid of marks.
function isMark(v) {
    return v === "notes" || v === "corner" || v === "colours";
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
        copies[name] = copyGrid(grids[name]);
    });
    return copies;
}

// The moves. A function with the changes of a move returns none if the move does not fit.

// tap adds one to a cell. It is the move that hosts make most often, and does not clean up,
// because the digit may be one on the way to another.
function tap(cell) {
    var x = cell.x, y = cell.y, row = currentState[x], from = row[y], to = (from + 1) % 10;
    undoStack.push([{ x: x, y: y, of: "digit", from: from, to: to }]);
    redoStack.length = 0;
    row[y] = to;
}

// writes returns the changes of the event set.
function writes(data) {
    var changes = [];
    if (isObject(data) && isDigit(data.value)) {
        cellsOf(data).forEach(function (cell) {
            if (!isTap(cell)) {
                return;
            }
            if (data.value !== currentState[cell.x][cell.y]) {
                write(changes, cell.x, cell.y, data.value);
            } else if (data.value === 0 && marks.notes[cell.x][cell.y] + marks.corner[cell.x][cell.y] > 0) {
                change(changes, "notes", cell.x, cell.y, 0);
                change(changes, "corner", cell.x, cell.y, 0);
            } else if (data.value === 0) {
                change(changes, "colours", cell.x, cell.y, 0);
            }
        });
    }
    return changes;
}

// write adds the changes that write a digit, or remove it.
function write(changes, x, y, digit) {
    changes.push({ x: x, y: y, of: "digit", from: currentState[x][y], to: digit });
    if (cleanUp && digit !== 0) {
        eachPeer(x, y, function (peerX, peerY) {
            change(changes, "notes", peerX, peerY, marks.notes[peerX][peerY] & ~(1 << digit));
            change(changes, "corner", peerX, peerY, marks.corner[peerX][peerY] & ~(1 << digit));
        });
    }
}

// change adds a change of the marks of a cell, if it is one.
function change(changes, of, x, y, to) {
    var from = marks[of][x][y];
    if (from !== to) {
        changes.push({ x: x, y: y, of: of, from: from, to: to });
    }
}

// cellsOf returns the cells that data names: those of its array, or itself. A cell counts once.
function cellsOf(data) {
    if (!Array.isArray(data.cells)) {
        return isCell(data) ? [data] : [];
    }
    var seen = emptyGrid();
    return data.cells.filter(function (cell) {
        return isCell(cell) && seen[cell.x][cell.y]++ === 0;
    });
}

// eachPeer calls f with the cells that see a cell.
function eachPeer(x, y, f) {
    var top = x - x % 3, left = y - y % 3;
    for (var i = 0; i < 9; i++) {
        var inBand = i >= top && i < top + 3;
        for (var j = 0; j < 9; j++) {
            if ((i !== x || j !== y) && (i === x || j === y || inBand && j >= left && j < left + 3)) {
                f(i, j);
            }
        }
    }
}

function box(x, y) {
    return x - x % 3 + (y - y % 3) / 3;
}

// markings returns the changes of the event mark. Cells with a digit have colours only.
function markings(data) {
    if (!isObject(data) || !isMark(data.of) || !isDigit(data.digit) || data.digit === 0) {
        return [];
    }
    var bit = 1 << data.digit, changes = [];
    var cells = cellsOf(data).filter(function (cell) {
        return data.of === "colours" || currentState[cell.x][cell.y] === 0;
    });
    var all = cells.every(function (cell) {
        return (marks[data.of][cell.x][cell.y] & bit) !== 0;
    });
    cells.forEach(function (cell) {
        var now = marks[data.of][cell.x][cell.y];
        change(changes, data.of, cell.x, cell.y, all ? now & ~bit : now | bit);
    });
    return changes;
}

// candidates returns the changes of the event candidates.
function candidates(data) {
    var changes = [], rows = nineZeros(), columns = nineZeros(), boxes = nineZeros();
    currentState.forEach(function (row, x) {
        row.forEach(function (digit, y) {
            var bit = 1 << digit;
            rows[x] |= bit;
            columns[y] |= bit;
            boxes[box(x, y)] |= bit;
        });
    });
    (isObject(data) ? cellsOf(data) : allCells()).forEach(function (cell) {
        var x = cell.x, y = cell.y;
        if (currentState[x][y] === 0) {
            change(changes, "notes", x, y, 1022 & ~(rows[x] | columns[y] | boxes[box(x, y)])); // of 1 to 9
        }
    });
    return changes;
}

function allCells() {
    var cells = [];
    for (var i = 0; i < 81; i++) {
        cells.push({ x: Math.floor(i / 9), y: i % 9 });
    }
    return cells;
}

// resets returns the changes that clear everything the player has entered, restores those
// that lead to a save point.
function resets() {
    return changesTo({ currentState: initState, notes: emptyGrid(), corner: emptyGrid(), colours: emptyGrid() });
}
function restores(index) {
    return changesTo(savePoints[index]);
}

function changesTo(goal) {
    var changes = [];
    allCells().forEach(function (cell) {
        var from = currentState[cell.x][cell.y], to = goal.currentState[cell.x][cell.y];
        if (from !== to) {
            changes.push({ x: cell.x, y: cell.y, of: "digit", from: from, to: to });
        }
        ["notes", "corner", "colours"].forEach(function (of) {
            change(changes, of, cell.x, cell.y, goal[of][cell.x][cell.y]);
        });
    });
    return changes;
}

// reveals returns the changes that write the digit of a random empty cell, given the
// result of the service.
function reveals(data) {
    var empty = allCells().filter(function (cell) {
        return currentState[cell.x][cell.y] === 0;
    });
    if (empty.length === 0 || !isObject(data) || !isGrid(data.solution)) {
        return [];
    }
    var changes = [], cell = empty[Math.floor(Math.random() * empty.length)];
    write(changes, cell.x, cell.y, data.solution[cell.x][cell.y]);
    return changes;
}
function reveal(data) {
    move(reveals(data));
    helps++;
}

// move makes a move.
function move(changes) {
    undoStack.push(changes);
    redoStack.length = 0;
    replay(changes, false);
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
    for (var i = 0; i < changes.length; i++) {
        var change = changes[i], grid = change.of === "digit" ? currentState : marks[change.of];
        grid[change.x][change.y] = backward ? change.from : change.to;
    }
}

// Save points.

var maxSavePoints = 100;

function isSavePoint(data) {
    return isNamed(data) && savePoints.length < maxSavePoints;
}
function hasSavePoint(data) {
    return isObject(data) && typeof data.index === "number" && savePoints.hasOwnProperty(data.index);
}

function addSavePoint(name) {
    var grids = copyGrids({
        currentState: currentState, notes: marks.notes, corner: marks.corner, colours: marks.colours
    });
    grids.name = name;
    savePoints.push(grids);
}

function forget(index) {
    savePoints.splice(index, 1);
}

function names(points) {
    return points.map(function (point) {
        return point.name;
    });
}

// The machine at work.

function isSolve(data) {
    return isSpeed(data) && (data.method === undefined || typeof data.method === "string");
}

function beginSolving(data) {
    solver = { method: data.method, delay: data.delay, before: currentState, changes: [], done: 0, step: "" };
    currentState = copyGrid(currentState);
}

// setChanges stores the result of the service.
function setChanges(result) {
    solver.changes = Array.isArray(result.changes) ? result.changes : [];
    solver.solution = result.solution;
}

// showChange shows the next change.
function showChange() {
    var change = solver.changes[solver.done++];
    solver.step = change.step || "";
    change.set.forEach(function (cell) {
        if (isTap(cell)) {
            currentState[cell.x][cell.y] = cell.digit;
        }
    });
}

// endSolving returns to the grid of the player, and makes one move from there to grid.
function endSolving(grid) {
    var changes;
    if (solver.done > 0 || grid !== solver.before) {
        helps++;
    }
    currentState = solver.before;
    solver = null;
    changes = changesTo({ currentState: grid, notes: marks.notes, corner: marks.corner, colours: marks.colours });
    if (changes.length > 0) {
        move(changes);
    }
}

// Games.

// restart starts a new game with the puzzle in initState.
function restart() {
    if (!isGrid(initState)) {
        initState = somePuzzle();
    }
    currentState = copyGrid(initState);
    marks = { notes: emptyGrid(), corner: emptyGrid(), colours: emptyGrid() };
    undoStack = [];
    redoStack = [];
    savePoints = [];
    played = 0;
    helps = 0;
}

// somePuzzle returns the puzzle of a host that does not give one.
function somePuzzle() {
    var rows = ["070300049", "010924730", "934007286", "320751060", "580030017", "040689052", "861200473", "093146020", "450003090"];
    return rows.map(function (row) {
        return row.split("").map(Number);
    });
}

function emptyGrid() {
    return nineZeros().map(nineZeros);
}
function nineZeros() {
    return [0, 0, 0, 0, 0, 0, 0, 0, 0];
}

function copyGrid(grid) {
    return grid.map(function (row) {
        return row.slice();
    });
}

// load continues a saved game.
function load(game) {
    var done = game.moves.length - game.undone;
    initState = game.initState;
    currentState = game.currentState;
    marks = { notes: game.notes, corner: game.corner, colours: game.colours };
    undoStack = game.moves.slice(0, done);
    redoStack = game.moves.slice(done).reverse();
    savePoints = game.savePoints || [];
    played = game.time || 0;
    helps = game.helps || 0;
}

// saved returns the data of a load event that continues this game. Hosts evaluate it when
// they save the game.
function saved() {
    return {
        initState: initState, currentState: In("solving") ? solver.before : currentState,
        notes: marks.notes, corner: marks.corner, colours: marks.colours,
        moves: undoStack.concat(redoStack.slice().reverse()), undone: redoStack.length,
        savePoints: savePoints, time: time(), helps: helps, mode: mode()
    };
}

// mode returns the name of the state for the event load.
function mode() {
    if (In("idle")) {
        return In("solved") ? "solved" : In("givenUp") ? "given-up" : "";
    }
    return In("editing") ? "editing" : In("paused") ? "paused" : "playing";
}

// time returns how long the game has been played, in milliseconds. The clock is asked each
// second, so anything longer is time in which the machine slept.
function time() {
    return played + (typeof since === "number" ? Math.min(5000, Math.max(0, Date.now() - since)) : 0);
}

// mayEdit reports whether the data of an edit event is none, or has a grid to begin with.
function mayEdit(data) {
    return !isObject(data) || isGrid(data.initState);
}

// edit makes an empty puzzle, in which everything can be entered.
function edit(data) {
    lastGame = saved();
    initState = emptyGrid();
    restart();
    if (isObject(data)) {
        currentState = data.initState;
    }
}

// leaveEdit returns to the last game, unless it was lost when this one was loaded.
function leaveEdit() {
    if (lastGame) {
        load(lastGame);
        lastGame = null;
    } else {
        restart();
    }
}

// isSolved reports whether every row, column and box has all nine digits. It begins with
// the rows, which need not be collected, and from the bottom: players tend to fill a grid
// from the top, so that the first check nearly always fails.
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
    if (numbers.indexOf(0) >= 0) { // most often
        return false;
    }
    for (var digit = 1; digit <= 9; digit++) {
        if (numbers.indexOf(digit) < 0) {
            return false;
        }
    }
    return true;
}

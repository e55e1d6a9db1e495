// The page's scripts: the same forms that work without them, sent in the background.
import { startBoard } from "./board.js";
import { startDrag } from "./drag.js";
import { startDraw } from "./draw.js";
import { startPhoto } from "./photo.js";
import { startSheet } from "./sheet.js";
import { answered } from "../shared/answers.js";
import { restore } from "../shared/keep.js";
import { startLive } from "../upload/live.js";
import { startShoot } from "../upload/shoot.js";

startShoot();
startBoard();
startPhoto();
startDraw();
startDrag();
startLive();
startSheet();
void restore().finally(answered);

// The page's scripts: the same forms that work without them, sent in the background.
import { startBoard } from "./board.js";
import { startDrag } from "./drag.js";
import { startDraw } from "./draw.js";
import { restore } from "./keep.js";
import { startLive } from "./live.js";
import { startPhoto } from "./photo.js";
import { answered } from "../shared/answers.js";
import { startShoot } from "../upload/shoot.js";

startShoot();
startBoard();
startPhoto();
startDraw();
startDrag();
startLive();
void restore().finally(answered);
